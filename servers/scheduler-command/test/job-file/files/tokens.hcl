job "tokens" {
  vault_token  = ""
  consul_token = "x"
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
