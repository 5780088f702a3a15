// Starts one of the examples, with the packages that its first lines import:
//
//   npm install tamis express compression
//   node run.mjs express 8080
//   curl -H 'Authorization: Bearer w' 'localhost:8080/v1/jobs?filter=Priority+>+20'
const [name = 'express', port = '8080'] = process.argv.slice(2);
const { start } = await import(`./${name}.mjs`);
const { url, close } = await start(Number(port));
console.log(url);
process.once('SIGINT', close);
