job "bounded" {
  type = "batch"
  node_pool = "gpu"
  all_at_once = true
  group "g" {
    max_run_duration = "2h"
    shutdown_delay   = "5s"
    max_client_disconnect = "1h"
    task "t" {
      driver         = "docker"
      shutdown_delay = "2s"
      config { image = "x" }
      resources {
        cores  = 2
        memory = 1024
        disk   = 100
      }
    }
  }
}
