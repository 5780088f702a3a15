job "quoted" {
  priority = "70"
  group "g" {
    count = "2"
    task "t" {
      driver = "exec"
      leader = "true"
      config { command = "/usr/bin/env" }
      resources {
        cpu    = "200"
        memory = "128"
      }
    }
  }
}
