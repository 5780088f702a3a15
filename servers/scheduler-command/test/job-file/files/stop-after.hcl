job "careful" {
  group "g" {
    stop_after_client_disconnect = "90s"
    prevent_reschedule_on_lost   = true
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
