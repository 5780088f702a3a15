job "meta" {
  id   = "meta"
  name = "Meta Job"
  region = "global"
  meta {
    owner    = "a"
    "x.y"    = "b"
    on-call  = true
  }
  group "g" {
    meta { level = 2 }
    restart {
      attempts         = 2
      mode             = "delay"
      interval         = "30m"
      delay            = "15s"
      render_templates = false
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
      meta { level = 3 }
      restart { attempts = 1 }
    }
  }
}
