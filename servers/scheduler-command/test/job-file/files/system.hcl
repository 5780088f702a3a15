job "agent" {
  type = "system"
  group "g" {
    network { port "scrape" { static = 9100 } }
    task "exporter" {
      driver = "raw_exec"
      config {
        command = "node_exporter"
        args    = ["--web.listen-address=:${NOMAD_PORT_scrape}"]
      }
      resources {
        cpu        = 50
        memory     = 32
        memory_max = 64
      }
    }
  }
}
