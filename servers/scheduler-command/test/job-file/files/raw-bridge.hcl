job "bridge" {
  group "g" {
    network {
      mode = "bridge"
      port "x" {}
    }
    task "t" {
      driver = "raw_exec"
      config { command = "/bin/true" }
    }
  }
}
