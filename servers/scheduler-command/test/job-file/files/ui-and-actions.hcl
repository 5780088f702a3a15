job "shown" {
  ui {
    description = "a **shop**"
    link {
      label = "runbook"
      url   = "https://example/runbook"
    }
    link {
      label = "board"
      url   = "https://example/board"
    }
  }
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      action "flush" {
        command = "/bin/flush"
        args    = ["--all"]
      }
    }
  }
}
