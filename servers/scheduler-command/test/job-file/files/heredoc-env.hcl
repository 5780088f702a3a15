job "keys" {
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
      env {
        CERT = <<EOT
-----BEGIN CERTIFICATE-----
AAAA
-----END CERTIFICATE-----
EOT
        JSON = <<-EOT
          { "a": [1, 2] }
          EOT
      }
    }
  }
}
