job "secretive" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      vault {
        policies    = ["app"]
        change_mode = "restart"
      }
    }
  }
}
