# Parameterised work: scheduler job dispatch resize --meta size=200 FILE starts it, once for each file.
job "resize" {
  type = "batch"

  parameterized {
    payload       = "required"
    meta_required = ["size"]
  }

  group "resize" {
    task "resize" {
      driver = "raw_exec"

      dispatch_payload {
        file = "input"
      }

      config {
        command = "/bin/sh"
        args    = ["-c", "echo the first ${SCHEDULER_META_size} bytes:; head -c ${SCHEDULER_META_size} $SCHEDULER_TASK_DIR/input"]
      }
    }
  }
}
