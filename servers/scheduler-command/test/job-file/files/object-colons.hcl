job "colons" {
  meta = { "owner" : "ops", tier : 1 }
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      env = { "A.B" : "c", D : 5 }
    }
  }
}
