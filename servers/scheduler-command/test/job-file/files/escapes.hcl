job "escaped" {
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image = "x"
        args  = ["-c", "echo $${HOME:-none}"]
      }
    }
  }
}
