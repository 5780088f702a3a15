# A system job: once on every node, on those too that join later.
job "every-node" {
  type = "system"

  group "load" {
    task "load" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args    = ["-c", "while :; do cat /proc/loadavg; sleep 5; done"]
      }

      kill_timeout = "1s"
    }
  }
}
