job "bridged" {
  group "g" {
    network {
      mode = "cni/macvlan"
      port "x" { to = -1 }
      cni {
        args = {
          vlan = "12"
        }
      }
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
