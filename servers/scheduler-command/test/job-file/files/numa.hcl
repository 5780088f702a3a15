job "numa" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      resources {
        cores = 4
        numa { affinity = "prefer" }
      }
    }
  }
}
