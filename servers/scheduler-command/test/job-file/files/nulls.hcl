job "nulls" {
  region = null
  group "g" {
    count = null
    task "t" {
      driver = "docker"
      config {
        image    = "x"
        hostname = null
      }
    }
  }
}
