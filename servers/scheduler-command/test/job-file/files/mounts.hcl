job "mounted" {
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image = "postgres:16"
        mount {
          type   = "bind"
          source = "local/a"
          target = "/a"
        }
        mount {
          type   = "tmpfs"
          target = "/b"
          tmpfs_options { size = 1000 }
        }
        volumes = ["local:/etc/x:ro"]
        ulimit { nofile = "4096:8192" }
        labels {
          team = "data"
        }
        auth {
          username = "u"
          password = "p"
        }
      }
    }
  }
}
