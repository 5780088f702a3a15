job "unquoted" {
  type = service
  group "g" {
    task "t" {
      driver = docker
      config { image = "x" }
    }
  }
}
