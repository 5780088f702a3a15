job "pair" {
  group "g" {
    task "left" {
      driver = "docker"
      config {
        image = "a"
        port_map { http = 80 }
      }
      resources {
        network {
          mbits = 10
          port "http" {}
        }
      }
      service {
        name = "left"
        port = "http"
      }
    }
    task "right" {
      driver = "docker"
      config {
        image = "b"
        port_map { http = 81 }
      }
      resources {
        network {
          mbits = 10
          port "http" {}
        }
      }
      service {
        name = "right"
        port = "http"
      }
    }
  }
}
