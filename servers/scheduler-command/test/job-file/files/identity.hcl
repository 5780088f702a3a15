job "identified" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      identity {
        name = "default"
        env  = false
        file = false
      }
    }
  }
}
