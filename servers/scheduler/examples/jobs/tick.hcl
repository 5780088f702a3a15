# Periodic work: the scheduler starts a job of its own at each of these times, and none while the last one runs.
job "tick" {
  type = "batch"

  periodic {
    cron             = "*/1 * * * *"
    time_zone        = "UTC"
    prohibit_overlap = true
  }

  group "tick" {
    task "tick" {
      driver = "raw_exec"

      config {
        command = "date"
        args    = ["-u"]
      }
    }
  }
}
