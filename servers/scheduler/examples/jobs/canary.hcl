# A service whose new versions are tried with one canary next to the old ones, until an operator promotes it.
job "canary" {
  group "app" {
    count = 2

    update {
      canary            = 1
      max_parallel      = 2
      min_healthy_time  = "1s"
      healthy_deadline  = "20s"
      progress_deadline = "1m"
    }

    restart {
      attempts = 0
      mode     = "fail"
    }

    task "app" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args    = ["-c", "echo version $VERSION; while :; do sleep 1; done"]
      }

      env {
        VERSION = "1"
      }

      kill_timeout = "1s"
    }
  }
}
