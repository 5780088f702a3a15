job "short" {
  type = "batch"
  task "hello" {
    driver = "raw_exec"
    config {
      command = "echo"
      args    = ["hello"]
    }
  }
}
