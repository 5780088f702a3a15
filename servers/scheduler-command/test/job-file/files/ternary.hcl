variable "prod" { default = false }
job "choice" {
  group "g" {
    count = var.prod ? 5 : 1
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
