job "bodies" {
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image   = "x"
        command = "sh"
        args = [
          "-c",
          "curl -w '%{http_code}' http://${attr.unique.network.ip-address}:${NOMAD_PORT_x}/ || exit 1",
        ]
        healthchecks { disable = true }
      }
    }
    network { port "x" {} }
  }
}
