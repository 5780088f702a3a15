job "split" {
  group "g" {
    network {
      port "public" {
        static       = 443
        host_network = "public"
      }
      port "private" { host_network = "private" }
    }
    task "t" {
      driver = "docker"
      config {
        image = "x"
        ports = ["public", "private"]
      }
    }
  }
}
