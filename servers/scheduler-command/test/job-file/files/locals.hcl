locals {
  release = "7"
  env = {
    A = "b"
  }
}
job "local" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x:${local.release}" }
      env = local.env
    }
  }
}
