job "often" {
  type = "sysbatch"
  periodic {
    crons = ["*/5 8-18 * * 1-5 *", "@daily"]
  }
  group "g" {
    task "t" {
      driver = "exec"
      config { command = "/bin/true" }
    }
  }
}
