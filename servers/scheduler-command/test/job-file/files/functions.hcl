job "computed" {
  datacenters = split(",", "dc1,dc2")
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image = join(":", ["x", "1"])
        args  = [for n in ["a", "b"] : upper(n)]
      }
      env {
        CONFIG = jsonencode({
          listen = "0.0.0.0"
          ports  = [80, 443]
        })
      }
      resources { memory = 2 * 1024 }
    }
  }
}
