job "nightly" {
  type = "batch"
  periodic {
    cron             = "15 2 * * *"
    prohibit_overlap = true
    time_zone        = "Europe/Berlin"
  }
  group "backup" {
    restart {
      attempts = 1
      interval = "1h"
      delay    = "30s"
      mode     = "fail"
    }
    reschedule {
      attempts  = 2
      interval  = "6h"
      unlimited = false
    }
    task "dump" {
      driver = "raw_exec"
      config {
        command = "/bin/sh"
        args    = ["-c", "echo ${NOMAD_JOB_NAME} > ${NOMAD_TASK_DIR}/out"]
      }
      logs {
        max_files     = 3
        max_file_size = 2
      }
    }
  }
}
