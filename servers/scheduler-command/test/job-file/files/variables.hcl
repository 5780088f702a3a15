variable "image" {
  type        = string
  description = "what runs"
  default     = "registry.example/app:1"
}

variable "counts" {
  type    = map(object({ min = number, max = number }))
  default = { a = { min = 1, max = 2 } }
  validation {
    condition     = length(var.counts) > 0
    error_message = "none"
  }
}

variable "size" {
  default = 3
}

job "varied" {
  group "g" {
    count = var.size
    task "t" {
      driver = "docker"
      config {
        image = var.image
        args  = ["--size=${var.size}"]
      }
    }
  }
}
