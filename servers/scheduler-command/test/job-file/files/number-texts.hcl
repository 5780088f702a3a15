job "numbers" {
  group "g" {
    network { port "admin" { static = 9000 } }
    service {
      name = "numbers"
      port = 9000
      meta { weight = 5 }
    }
    task "t" {
      driver = "raw_exec"
      user   = 1000
      config {
        command = "/bin/sleep"
        args    = [100, true, "x"]
      }
      env {
        WORKERS = 4
        DEBUG   = true
      }
    }
  }
}
