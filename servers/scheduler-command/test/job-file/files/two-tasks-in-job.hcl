job "shorter" {
  datacenters = ["dc1"]
  task "a" {
    driver = "exec"
    config { command = "/bin/date" }
  }
  task "b" {
    driver = "exec"
    config { command = "/bin/uptime" }
  }
  group "c" {
    task "d" {
      driver = "exec"
      config { command = "/bin/true" }
    }
  }
}
