job "native" {
  group "g" {
    network { port "api" {} }
    service {
      name = "native"
      port = "api"
      task = "t"
      connect { native = true }
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
