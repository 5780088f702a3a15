job "dynamic" {
  dynamic "group" {
    for_each = ["a", "b"]
    labels   = [group.value]
    content {
      task "t" {
        driver = "docker"
        config { image = group.value }
      }
    }
  }
  group "c" {
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
