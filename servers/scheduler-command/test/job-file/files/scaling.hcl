job "elastic" {
  group "g" {
    scaling {
      enabled = true
      min     = 1
      max     = 10
      policy {
        cooldown = "2m"
        check "cpu" {
          source = "prometheus"
          query  = "avg(cpu)"
          strategy "target-value" { target = 70 }
        }
        check "mem" {
          source = "prometheus"
          query  = "avg(mem)"
          strategy "target-value" { target = 80 }
        }
      }
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
      scaling "cpu" {
        enabled = true
        min     = 100
        max     = 1000
        policy { cooldown = "5m" }
      }
    }
  }
}
