job "secretive-group" {
  group "g" {
    vault { policies = ["app"] }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
