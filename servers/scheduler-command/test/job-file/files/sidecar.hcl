job "mesh" {
  group "api" {
    network {
      mode = "bridge"
      port "expose" {}
    }
    service {
      name = "api"
      port = "9001"
      connect {
        sidecar_service {
          tags = ["proxy"]
          proxy {
            local_service_port = 9001
            upstreams {
              destination_name = "db"
              local_bind_port  = 5432
            }
            upstreams {
              destination_name = "cache"
              local_bind_port  = 6379
              mesh_gateway { mode = "local" }
            }
            expose {
              path {
                path            = "/metrics"
                protocol        = "http"
                local_path_port = 9001
                listener_port   = "expose"
              }
              path {
                path            = "/health"
                protocol        = "http"
                local_path_port = 9001
                listener_port   = "expose"
              }
            }
            config { protocol = "http" }
          }
        }
        sidecar_task {
          resources {
            cpu    = 100
            memory = 64
          }
          kill_timeout = "20s"
        }
      }
    }
    task "api" {
      driver = "docker"
      config { image = "api:3" }
    }
  }
}
