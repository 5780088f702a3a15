job "staged" {
  group "g" {
    task "migrate" {
      driver = "docker"
      lifecycle {
        hook    = "prestart"
        sidecar = false
      }
      config { image = "flyway" }
    }
    task "log-shipper" {
      driver = "docker"
      lifecycle {
        hook    = "poststart"
        sidecar = true
      }
      config { image = "vector" }
    }
    task "app" {
      driver       = "docker"
      leader       = true
      kill_timeout = "30s"
      kill_signal  = "SIGTERM"
      config { image = "app" }
    }
    task "cleanup" {
      driver = "docker"
      lifecycle { hook = "poststop" }
      config { image = "busybox" }
    }
  }
}
