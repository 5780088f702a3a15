job "out" {
  group "gw" {
    network { mode = "bridge" }
    service {
      name = "terminator"
      connect {
        gateway {
          terminating {
            service {
              name    = "legacy"
              ca_file = "/etc/ca.pem"
              sni     = "legacy.example"
            }
          }
        }
      }
    }
  }
}
