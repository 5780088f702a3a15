# Batch work: it counts, and is complete when it has ended well.
job "count" {
  type = "batch"

  group "count" {
    task "count" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args    = ["-c", "for i in 1 2 3; do echo $SCHEDULER_TASK_NAME $i of 3; sleep 0.2; done"]
      }
    }
  }
}
