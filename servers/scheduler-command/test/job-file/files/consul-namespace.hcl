job "named" {
  namespace = "default"
  consul_namespace = "team"
  group "g" {
    consul { namespace = "team" }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
