job "rolling" {
  update {
    max_parallel      = 2
    health_check      = "task_states"
    min_healthy_time  = "15s"
    healthy_deadline  = "3m"
    progress_deadline = "15m"
    auto_revert       = true
    auto_promote      = true
    canary            = 1
    stagger           = "30s"
  }
  migrate {
    max_parallel     = 1
    health_check     = "checks"
    min_healthy_time = "10s"
    healthy_deadline = "5m"
  }
  group "g" {
    count = 4
    update { canary = 2 }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
