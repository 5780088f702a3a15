job "rendered" {
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image   = "nginx"
        volumes = ["local/nginx.conf:/etc/nginx/nginx.conf"]
      }
      template {
        data = <<-EOF
          server {
            {{ range service "api" }}
            upstream {{ .Address }}:{{ .Port }};
            {{ end }}
          }
        EOF
        destination   = "local/nginx.conf"
        change_mode   = "signal"
        change_signal = "SIGHUP"
      }
      template {
        source      = "local/x.tpl"
        destination = "secrets/x.env"
        env         = true
      }
    }
  }
}
