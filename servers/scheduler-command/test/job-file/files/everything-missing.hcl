variable "tag" { default = "1" }
job "typical" {
  vault { policies = ["x"] }
  group "g" {
    volume "v" {
      type   = "host"
      source = "v"
    }
    task "t" {
      driver = "docker"
      artifact { source = "https://example/x" }
      config { image = "x:${var.tag}" }
      template {
        data        = file("./x.tpl")
        destination = "local/x"
      }
    }
  }
}
