job "token" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      identity {
        env  = true
        file = true
      }
    }
  }
}
