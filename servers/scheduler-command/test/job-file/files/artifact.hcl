job "fetched" {
  group "g" {
    task "t" {
      driver = "exec"
      artifact {
        source      = "https://example/app.tgz"
        destination = "local/"
        options {
          checksum = "sha256:00"
        }
      }
      artifact { source = "git::https://example/x.git" }
      config { command = "local/app" }
    }
  }
}
