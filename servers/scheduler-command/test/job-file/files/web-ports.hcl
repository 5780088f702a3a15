job "storefront" {
  datacenters = ["dc1", "dc2"]
  type        = "service"
  priority    = 60

  group "web" {
    count = 3
    network {
      mode = "bridge"
      port "http" { to = 8080 }
      port "metrics" {}
    }
    service {
      name = "storefront"
      port = "http"
      tags = ["urlprefix-/", "v${NOMAD_META_release}"]
      check {
        type     = "http"
        path     = "/healthz"
        interval = "15s"
        timeout  = "3s"
        header {
          Authorization = ["Basic Zm9v"]
        }
        check_restart {
          limit = 3
          grace = "90s"
        }
      }
    }
    task "server" {
      driver = "docker"
      meta { release = "14" }
      config {
        image = "registry.example/storefront:14"
        ports = ["http", "metrics"]
        logging {
          type = "fluentd"
          config { tag = "storefront" }
        }
      }
      resources {
        cpu    = 500
        memory = 256
      }
    }
  }
}
