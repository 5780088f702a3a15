job "directed" {
  meta {
    list = "%{ for a in ["x", "y"] }${a},%{ endfor }"
  }
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
