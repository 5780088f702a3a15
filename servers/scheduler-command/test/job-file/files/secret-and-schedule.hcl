job "secrets" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      secret "db" {
        provider = "vault"
        path     = "kv/db"
      }
    }
  }
}
