job "secretive-job" {
  vault {
    role = "app"
  }
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
