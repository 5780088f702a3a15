job "gpu" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "cuda" }
      resources {
        device "nvidia/gpu" {
          count = 1
          constraint {
            attribute = "${device.attr.memory}"
            operator  = ">="
            value     = "8 GiB"
          }
          affinity {
            attribute = "${device.model}"
            value     = "T4"
          }
        }
      }
    }
  }
}
