job "edge" {
  group "gw" {
    network {
      mode = "bridge"
      port "inbound" {
        static = 8443
        to     = 8443
      }
    }
    service {
      name = "edge-gateway"
      port = 8443
      connect {
        gateway {
          proxy { connect_timeout = "500ms" }
          ingress {
            tls { enabled = true }
            listener {
              port     = 8443
              protocol = "http"
              service {
                name  = "api"
                hosts = ["api.example"]
              }
              service { name = "web" }
            }
            listener {
              port     = 9443
              protocol = "tcp"
              service { name = "db" }
            }
          }
        }
      }
    }
  }
}
